import { useState } from 'preact/hooks'
import { contrastRatio, isHexColor } from '../../../lib/branding/brand-colors.ts'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'

const t = messagesOf('branding')

/** What a color must be seen on: see `checkBrandColors`. */
const rules = {
  accent_color: { against: '#ffffff', needed: 3, advice: 'darker', initial: '#1d4ed8' },
  background_color: { against: '#1f2937', needed: 4.5, advice: 'lighter', initial: '#f3f4f6' },
} as const

interface ColorFieldProps {
  readonly name: keyof typeof rules
  readonly label: string
  readonly ownLabel: string
  /** Empty for the default color. */
  readonly value: string
  readonly failure: ApiFailure | undefined
  readonly onChangeValue: (color: string) => void
}

/** A color with its contrast, or the default. */
export const ColorField = (props: ColorFieldProps) => {
  const { name, label, ownLabel, value, failure, onChangeValue } = props
  const { initial } = rules[name]
  // The field stays while a person empties it to type another color.
  const [isOwn, setOwn] = useState(false)
  const isShown = isOwn || value !== ''
  return (
    <>
      <Checkbox
        label={ownLabel}
        isChecked={isShown}
        onChange={(isChecked) => {
          setOwn(isChecked)
          onChangeValue(isChecked ? initial : '')
        }}
      />
      {isShown && (
        <FieldFrame
          label={label}
          hint={isHexColor(value) && describeContrast(name, value)}
          problem={describeColorProblem(name, value) ?? problemOf(failure, name)}
        >
          {(attributes) => (
            <div class="color">
              <input
                {...attributes}
                type="text"
                autocomplete="off"
                spellcheck={false}
                maxLength={7}
                value={value}
                onInput={(event) => {
                  setOwn(true)
                  onChangeValue(event.currentTarget.value)
                }}
              />
              <input
                type="color"
                aria-label={t('pick', { label })}
                value={isHexColor(value) ? value : initial}
                onInput={(event) => onChangeValue(event.currentTarget.value)}
              />
            </div>
          )}
        </FieldFrame>
      )}
    </>
  )
}

/** Rounded down, so that a ratio that is too low never looks sufficient. */
const describeContrast = (name: keyof typeof rules, color: string): string => {
  const { against, needed } = rules[name]
  const ratio = (Math.floor(contrastRatio(color, against) * 100) / 100).toFixed(2)
  return t('contrast', { ratio, needed: String(needed) })
}

/** What is wrong with a color. Undefined for a good one, and for none. */
export const describeColorProblem = (name: keyof typeof rules, color: string): string | undefined => {
  const { against, needed, advice } = rules[name]
  if (color === '') return undefined
  if (!isHexColor(color)) return t('colorForm')
  return contrastRatio(color, against) >= needed ? undefined : t(advice)
}
