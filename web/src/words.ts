// Every word of the page itself, in one table per language. Texts of games stay as they are written.
const en = {
  board: 'board', empty: 'empty', canChoose: 'can be chosen', yourTurn: 'Your turn', waitingFor: 'Waiting for', thinking: 'is thinking…',
  over: 'Game over', wins: 'wins', win: 'win', draw: 'Nobody wins', youWin: 'You win', youLose: 'You lose', shared: 'Shared result', choose: 'Choose', confirm: 'Confirm', of: 'of',
  log: 'Log', options: 'Options', noOptions: 'Nothing to choose', command: 'Type a move', commandHelp: 'Type part of an option, then Enter. “why …” asks why something is not possible.',
  whyNot: 'Why not?', back: 'Back', newGame: 'New game', again: 'Play again', lobby: 'Games', play: 'Play', players: 'Players', rules: 'House rules', seats: 'Seats',
  human: 'person', bot: 'computer', you: 'you', search: 'Search', settings: 'Settings', theme: 'Colours', light: 'light', dark: 'dark', system: 'as the system',
  language: 'Language', lost: 'Connection lost. Trying again…', connecting: 'Connecting…', resign: 'Resign', undo: 'Ask to take back', offerDraw: 'Offer a draw', accept: 'Accept', refuse: 'Refuse',
  chat: 'Chat', send: 'Send', tables: 'Open tables', noTables: 'No open tables.', join: 'Sit down', watch: 'Watch', name: 'Your name', start: 'Start', startLocal: 'Play here, without a server', ready: 'Ready',
  waitingForPlayers: 'Waiting for players', share: 'Copy the link', copied: 'Copied', needs: 'needs', excludes: 'does not go with', chosenRules: 'Chosen rules', none: 'none', notFound: 'There is no such page.',
  failed: 'That did not work', turn: 'turn', round: 'round', hidden: 'hidden', cards: 'cards', copyLog: 'Copy', filter: 'Filter', opponent: 'Against', skipToMain: 'To the board', strength: 'Strength', noWasm: 'This page was built without the engine for the browser.', offers: 'offers',
  step: 'Esc steps back', noServer: 'No server here: games are played in this browser.', constants: 'Numbers', wasRefused: 'Not possible', close: 'Close', watching: 'You are watching', chance: 'chance', stepBack: 'one move back', stepOn: 'one move on', position: 'position', now: 'Now', lookingBack: 'An earlier position', game: 'Game',
};
type Words = typeof en;
const de: Words = {
  board: 'Brett', empty: 'leer', canChoose: 'wählbar', yourTurn: 'Du bist am Zug', waitingFor: 'Am Zug:', thinking: 'überlegt…',
  over: 'Spiel vorbei', wins: 'gewinnt', win: 'gewinnen', draw: 'Niemand gewinnt', youWin: 'Du gewinnst', youLose: 'Du verlierst', shared: 'Geteiltes Ergebnis', choose: 'Wähle', confirm: 'Bestätigen', of: 'von',
  log: 'Verlauf', options: 'Möglichkeiten', noOptions: 'Nichts zu wählen', command: 'Zug eingeben', commandHelp: 'Einen Teil einer Möglichkeit eingeben, dann Enter. „why …“ fragt, warum etwas nicht geht.',
  whyNot: 'Warum nicht?', back: 'Zurück', newGame: 'Neues Spiel', again: 'Noch einmal', lobby: 'Spiele', play: 'Spielen', players: 'Spieler', rules: 'Hausregeln', seats: 'Plätze',
  human: 'Mensch', bot: 'Computer', you: 'du', search: 'Suchen', settings: 'Einstellungen', theme: 'Farben', light: 'hell', dark: 'dunkel', system: 'wie das System',
  language: 'Sprache', lost: 'Verbindung verloren. Neuer Versuch…', connecting: 'Verbinde…', resign: 'Aufgeben', undo: 'Um Rücknahme bitten', offerDraw: 'Remis anbieten', accept: 'Annehmen', refuse: 'Ablehnen',
  chat: 'Gespräch', send: 'Senden', tables: 'Offene Tische', noTables: 'Keine offenen Tische.', join: 'Platz nehmen', watch: 'Zuschauen', name: 'Dein Name', start: 'Beginnen', startLocal: 'Hier spielen, ohne Server', ready: 'Bereit',
  waitingForPlayers: 'Warten auf Mitspieler', share: 'Link kopieren', copied: 'Kopiert', needs: 'braucht', excludes: 'geht nicht mit', chosenRules: 'Gewählte Regeln', none: 'keine', notFound: 'Diese Seite gibt es nicht.',
  failed: 'Das ging nicht', turn: 'Zug', round: 'Runde', hidden: 'verdeckt', cards: 'Karten', copyLog: 'Kopieren', filter: 'Filter', opponent: 'Gegen', skipToMain: 'Zum Brett', strength: 'Stärke', noWasm: 'Diese Seite wurde ohne die Engine für den Browser gebaut.', offers: 'bietet an',
  step: 'Esc geht zurück', noServer: 'Kein Server: gespielt wird in diesem Browser.', constants: 'Zahlen', wasRefused: 'Nicht möglich', close: 'Schließen', watching: 'Du schaust zu', chance: 'Zufall', stepBack: 'ein Zug zurück', stepOn: 'ein Zug weiter', position: 'Stellung', now: 'Jetzt', lookingBack: 'Eine frühere Stellung', game: 'Spiel',
};
const languages: Record<string, Words> = { en, de };
export const languageNames: Record<string, string> = { en: 'English', de: 'Deutsch' };
const kept = (key: string): string | null => { try { return localStorage.getItem(key); } catch { return null; } };
export const language = (): string => kept('parlor.language') ?? (navigator.language.startsWith('de') ? 'de' : 'en');
export const words: Words = languages[language()] ?? en;
