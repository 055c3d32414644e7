// One short tone, for those who asked for sounds (settings).
let room: AudioContext | null = null;
export function beep(): void {
  try {
    if (localStorage.getItem('parlor.sound') !== 'on') return;
    room ??= new AudioContext();
    const tone = room.createOscillator(), loud = room.createGain();
    tone.frequency.value = 880;
    loud.gain.setValueAtTime(0.08, room.currentTime);
    loud.gain.exponentialRampToValueAtTime(0.001, room.currentTime + 0.12);
    tone.connect(loud).connect(room.destination);
    tone.start();
    tone.stop(room.currentTime + 0.13);
  } catch { /* no sound here */ }
}
