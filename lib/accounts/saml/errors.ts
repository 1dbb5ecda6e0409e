import { AppError, type ErrorCode } from '../../core/errors.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'

/** A refusal to sign somebody in through a provider, in one sentence that whoever waits for it can understand. */
export const createSamlError = (
  code: ErrorCode,
  provider: Pick<SamlProviderRecord, 'name'>,
  reason: string,
  sentence: string,
): AppError => new AppError(code, { reason, detail: getSamlErrorText(provider, sentence) })

export const getSamlErrorText = ({ name }: Pick<SamlProviderRecord, 'name'>, sentence: string): string =>
  `Signing in with ${name} did not work. ${sentence}`
