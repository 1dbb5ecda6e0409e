import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { day, hour, minute, second } from '../../../lib/kernel/util/time.ts'
import { FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('apps')

const units = [
  { seconds: day / second, name: 'days' },
  { seconds: hour / second, name: 'hours' },
  { seconds: minute / second, name: 'minutes' },
  { seconds: 1, name: 'seconds' },
] as const

interface DurationFieldProps {
  readonly label: string
  readonly problem: ComponentChildren
  /** Seconds as a text. */
  readonly value: string
  readonly onChangeValue: (seconds: string) => void
}

/** A time as a number and a unit. At first, the unit is the largest that needs no fraction. */
export const DurationField = ({ label, problem, value, onChangeValue }: DurationFieldProps) => {
  const seconds = Number(value)
  const [unit, setUnit] = useState(() => findUnit(seconds))
  const amount = value === '' || !Number.isFinite(seconds) ? value : String(seconds / unit)
  const toSeconds = (text: string, factor: number): string => {
    const number = Number(text)
    return text.trim() === '' || !Number.isFinite(number) ? text : String(Math.round(number * factor))
  }
  return (
    <FieldFrame label={label} problem={problem}>
      {(attributes) => (
        <div class="row">
          <input
            {...attributes}
            type="number"
            min={0}
            step="any"
            autocomplete="off"
            value={amount}
            onInput={(event) => onChangeValue(toSeconds(event.currentTarget.value, unit))}
          />
          <select
            aria-label={t('unitOf', { label })}
            value={String(unit)}
            onChange={(event) => {
              const chosen = Number(event.currentTarget.value)
              setUnit(chosen)
              onChangeValue(toSeconds(amount, chosen))
            }}
          >
            {units.map((one) => (
              <option key={one.name} value={String(one.seconds)}>
                {t(one.name)}
              </option>
            ))}
          </select>
        </div>
      )}
    </FieldFrame>
  )
}

const findUnit = (seconds: number): number =>
  units.find((unit) => seconds > 0 && seconds % unit.seconds === 0)?.seconds ?? 1
