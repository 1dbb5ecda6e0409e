import { day, hour, minute, second } from './durations.ts'

const units = [
  { ms: day, name: 'day' },
  { ms: hour, name: 'hour' },
  { ms: minute, name: 'minute' },
  { ms: second, name: 'second' },
] as const

/** Describes a duration in milliseconds by its largest whole unit: `90 seconds`, `1 hour`. */
export const describeDuration = (durationMs: number): string => {
  const unit = units.find(({ ms }) => durationMs % ms === 0) ?? units[3]
  const count = durationMs / unit.ms
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}
