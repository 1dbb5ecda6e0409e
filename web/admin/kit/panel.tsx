import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { CopyButton } from '../../session-kit/copy-button.tsx'

interface PanelProps {
  readonly heading: ComponentChildren
  readonly intro?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a detail page. */
export const Panel = ({ heading, intro, children }: PanelProps) => {
  const id = useId()
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-top">
        <h2 id={id}>{heading}</h2>
        {intro && <p class="note">{intro}</p>}
      </div>
      <div class="panel-body">{children}</div>
    </section>
  )
}

interface TagProps {
  /** `bad` has failed or ended, `warning` needs attention. */
  readonly kind?: 'good' | 'warning' | 'bad' | 'neutral'
  readonly children: ComponentChildren
}

/** A short state, such as "Disabled". The text says it, the color only repeats it. */
export const Tag = ({ kind = 'neutral', children }: TagProps) => <span class={`tag ${kind}`}>{children}</span>

export interface FactsProps {
  readonly facts: readonly { readonly label: string; readonly value: ComponentChildren }[]
}

/** Names and values that cannot be edited here. */
export const Facts = ({ facts }: FactsProps) => (
  <dl class="facts">
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

interface CopyFactsProps {
  readonly facts: readonly { readonly label: string; readonly value: string }[]
}

/** Values to enter elsewhere, each with a button that copies it. */
export const CopyFacts = ({ facts }: CopyFactsProps) => (
  <Facts
    facts={facts.map(({ label, value }) => ({
      label,
      value: (
        <span class="copied">
          <code>{value}</code> <CopyButton text={value} label={label} />
        </span>
      ),
    }))}
  />
)
