import { Alert, Button } from './button.tsx'
import type { ApiFailure } from './call-api.ts'
import { describeFailure } from './describe-failure.ts'
import { t } from './messages.ts'

interface LoadFailureProps {
  readonly failure: ApiFailure | undefined
  /** Explains failures by their reason or code. */
  readonly messages?: Readonly<Record<string, string>>
  readonly isRunning?: boolean
  readonly onRetry: () => unknown
}

/** Says why something could not be loaded, with the button that tries again. */
export const LoadFailure = ({ failure, messages, isRunning, onRetry }: LoadFailureProps) => (
  <>
    <Alert kind="problem">{failure && describeFailure(failure, messages)}</Alert>
    {failure && (
      <div class="row">
        <Button look="secondary" isRunning={isRunning} onClick={() => void onRetry()}>
          {t('retry')}
        </Button>
      </div>
    )}
  </>
)
