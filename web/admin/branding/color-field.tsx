import { useState } from 'preact/hooks'
import {
  checkBrandColors,
  contrastRatio,
  deriveBrandColors,
  isHexColor,
} from '../../../lib/features/branding/brand-colors.ts'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'

const t = messagesOf('branding')

/** The color that the field shows first. */
const initials = { accent_color: '#1d4ed8', background_color: '#f3f4f6' } as const

interface ColorFieldProps {
  readonly name: keyof typeof initials
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
  const initial = initials[name]
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

/** The contrast of the text on a color, rounded down, so that a ratio that is too low never looks sufficient. */
const describeContrast = (name: keyof typeof initials, color: string): string => {
  const isAccent = name === 'accent_color'
  const { '--on-accent': onAccent, '--text': text } = deriveBrandColors({
    accentColor: isAccent ? color : initials.accent_color,
    backgroundColor: null,
  }).light
  const exact = contrastRatio(color, isAccent ? onAccent : text)
  const ratio = (Math.floor(exact * 100) / 100).toFixed(2)
  return isAccent ? t('textContrast', { ratio }) : t('contrast', { ratio, needed: '4.5' })
}

/** What is wrong with a color. Undefined for a good one, and for none. */
export const describeColorProblem = (name: keyof typeof initials, color: string): string | undefined => {
  if (color === '') return undefined
  if (!isHexColor(color)) return t('colorForm')
  const colors = { accentColor: initials.accent_color, backgroundColor: null }
  const given = name === 'accent_color' ? { accentColor: color } : { backgroundColor: color }
  return checkBrandColors({ ...colors, ...given }).length === 0 ? undefined : t('lighter')
}
