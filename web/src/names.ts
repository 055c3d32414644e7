// Names of a game's text as people read them: "republicMargin" is "republic margin".
export const spaced = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ').replace(/ ([A-Z])(?=[a-z])/g, (m) => m.toLowerCase());
