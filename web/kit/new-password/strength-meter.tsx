import { useEffect, useState } from 'preact/hooks'
import { messagesOf } from '../messages.ts'

const t = messagesOf('newPassword')

interface StrengthMeterProps {
  readonly password: string
  /** Words that an attacker would try first, such as the names of the person. */
  readonly words: readonly string[]
}

/** Long enough that a screen reader does not read every letter's result. */
const pauseMs = 400

/** How hard the password is to guess. Its dictionary is loaded when the person starts to type, and nothing waits for it. */
export const StrengthMeter = ({ password, words }: StrengthMeterProps) => {
  const strength = useStrength(password, words)
  if (password === '' || strength === undefined) return <div class="strength" role="status" />
  const labels = [t('veryWeak'), t('weak'), t('fair'), t('good'), t('strong')]
  return (
    <div class="strength" role="status">
      <span class={`strength-bar strength-${strength}`} aria-hidden="true">
        {labels.slice(1).map((label, step) => (
          <span key={label} class={step < Math.max(strength, 1) ? 'is-filled' : undefined} />
        ))}
      </span>
      <span class="note">{t('strength', { strength: labels[strength] ?? '' })}</span>
    </div>
  )
}

const useStrength = (password: string, words: readonly string[]): number | undefined => {
  const [strength, setStrength] = useState<number | undefined>()
  const known = words.join('\n')
  useEffect(() => {
    if (password === '') return setStrength(undefined)
    let isOutdated = false
    const estimate = async (): Promise<void> => {
      // Without the dictionary, the page works as well.
      const loaded = await import('./estimate-strength.ts').catch(() => undefined)
      if (!isOutdated) setStrength(loaded?.estimateStrength(password, known.split('\n')))
    }
    const timer = setTimeout(estimate, pauseMs)
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [password, known])
  return strength
}
