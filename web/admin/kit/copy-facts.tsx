import { CopyButton } from '../../session-kit/copy-button.tsx'
import { Facts } from './panel.tsx'

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
