import { CopyButton } from '../session-kit/copy-button.tsx'

/** A value to enter elsewhere, with a button that copies it. */
export const CopiedValue = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div class="stack">
    <span>{label}</span>
    <code dir="ltr" class="wrapped">
      {value}
    </code>
    <div class="row">
      <CopyButton text={value} label={label} />
    </div>
  </div>
)
