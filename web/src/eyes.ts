// Whose eyes a table on one screen is seen with: people who share it see what the one who decides may see, and meanwhile what
// the last of them saw. -1: nobody plays here, one only watches.
export function eyesOf(seats: string[], decider: number, last: number): number {
  const people = seats.flatMap((s, i) => (s === 'human' ? [i] : []));
  if (people.length === 1) return people[0]!;
  if (people.includes(decider)) return decider;
  return people.length ? (people.includes(last) ? last : people[0]!) : -1;
}
