import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface DeletePanelProps {
  readonly label: string
  /** What is deleted. */
  readonly name: string
  /** What will happen. */
  readonly text: string
  /** Explains failures by their reason or code. */
  readonly failures?: Readonly<Record<string, string>>
  readonly onDelete: () => Promise<void>
}

/** The end of a detail page: deletes what it shows, after a question. */
export const DeletePanel = ({ label, name, text, failures, onDelete }: DeletePanelProps) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <div>
      <Button look="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={`${label}: ${name}`}
          action={label}
          {...(failures ? { failures } : {})}
          onConfirm={async () => {
            await onDelete()
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{text}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
