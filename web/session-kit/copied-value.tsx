import { CopyButton } from './copy-button.tsx'

/** A value to enter elsewhere, with a button that copies it. */
export const CopiedValue = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div class="field">
    <span class="label">{label}</span>
    <div class="copied">
      <code dir="ltr">{value}</code>
      <CopyButton text={value} label={label} />
    </div>
  </div>
)
