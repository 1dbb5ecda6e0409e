import type { SAMLSetup } from '../../lib/client/generated/models.ts'
import type { SendChange } from './setup-api.ts'

/** What each step of the page gets. */
export interface StepProps {
  readonly setup: SAMLSetup
  readonly send: SendChange
}
