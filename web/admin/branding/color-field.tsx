import { useState } from 'preact/hooks'
import type { ServiceBrandingSettings } from '../../../lib/client/generated/models.ts'
import {
  checkBrandColors,
  contrastRatio,
  deriveBrandColors,
  isHexColor,
} from '../../../lib/features/branding/brand-colors.ts'
import { Checkbox, FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { type BodyForm, frameOf } from '../kit/body-fields.tsx'

const t = messagesOf('branding')

/** The color that the field shows first. */
const initials = { accent_color: '#1d4ed8', background_color: '#f3f4f6' } as const

interface ColorFieldProps {
  readonly form: BodyForm<ServiceBrandingSettings>
  readonly name: keyof typeof initials
  readonly label: string
  readonly ownLabel: string
}

/** A color with its contrast, or the default. */
export const ColorField = (props: ColorFieldProps) => {
  const { form, name, ownLabel } = props
  const value = form.value[name] ?? ''
  const onChangeValue = (color: string): void => form.set({ [name]: color || null })
  const frame = frameOf({ ...props, problem: describeColorProblem(name, value) })
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
        <FieldFrame {...frame} hint={isHexColor(value) && describeContrast(name, value)}>
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
                aria-label={t('pick', { label: props.label })}
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
    accent_color: isAccent ? color : initials.accent_color,
    background_color: null,
  }).light
  const exact = contrastRatio(color, isAccent ? onAccent : text)
  const ratio = (Math.floor(exact * 100) / 100).toFixed(2)
  return isAccent ? t('textContrast', { ratio }) : t('contrast', { ratio, needed: '4.5' })
}

/** What is wrong with a color. Undefined for a good one, and for none. */
export const describeColorProblem = (name: keyof typeof initials, color: string): string | undefined => {
  if (color === '') return undefined
  if (!isHexColor(color)) return t('colorForm')
  const colors = { accent_color: initials.accent_color, background_color: null }
  const given = name === 'accent_color' ? { accent_color: color } : { background_color: color }
  return checkBrandColors({ ...colors, ...given }).length === 0 ? undefined : t('lighter')
}
