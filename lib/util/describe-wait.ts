/** Describes a waiting time for people: in seconds up to 90, then in minutes. An unknown time counts as a minute. */
export const describeWait = (seconds: number): string => {
  if (!(seconds > 0)) return 'a minute'
  if (seconds === 1) return 'a second'
  return seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
