import { useState } from 'preact/hooks'
import { day, hour, minute, second } from '../../../lib/kernel/util/time.ts'
import { FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { type FieldOf, frameOf, type NamesOf, useBodyText } from '../kit/body-fields.tsx'

const t = messagesOf('apps')

const units = [
  { seconds: day / second, name: 'days' },
  { seconds: hour / second, name: 'hours' },
  { seconds: minute / second, name: 'minutes' },
  { seconds: 1, name: 'seconds' },
] as const

/** Seconds as a number and a unit. At first, the unit is the largest that needs no fraction. */
export const BodyDuration = <Body extends object>(props: FieldOf<Body, NamesOf<Body, number>>) => {
  const { form, name, label } = props
  const [unit, setUnit] = useState(() => findUnit(Number(form.value[name])))
  const toSeconds = (text: string, factor: number): number => Math.round(Number(text) * factor)
  const input = useBodyText(
    props,
    (seconds) => String(Number(seconds) / unit),
    (text) => toSeconds(text, unit),
  )
  return (
    <FieldFrame {...frameOf(props)}>
      {(attributes) => (
        <div class="row">
          <input
            {...attributes}
            type="number"
            min={0}
            step="any"
            autocomplete="off"
            value={input.value}
            onInput={(event) => input.onChangeValue(event.currentTarget.value)}
          />
          <select
            aria-label={t('unitOf', { label })}
            value={String(unit)}
            onChange={(event) => {
              const chosen = Number(event.currentTarget.value)
              setUnit(chosen)
              form.set({ [name]: toSeconds(input.value, chosen) } as Partial<Body>)
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
