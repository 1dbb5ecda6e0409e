import { recoveryCodesPerUser, totpDriftMaxSteps } from '../../../limits/limits.ts'
import { EnableTOTP, EnableTOTPRequest, RecoveryCodes, SyncTOTP, SyncTOTPRequest } from '../../models/totp.ts'
import { describeModel } from '../describe.ts'
import { exampleCode } from '../example-values.ts'

const currentCode = 'The code of six digits that the authenticator app shows now.'

const recoveryCodes = `${recoveryCodesPerUser} recovery codes. Each works once instead of a code of the authenticator app. Shown once: the user must store them now.`

/** The real ones have letters and digits at random. */
const exampleCodes = Array.from({ length: recoveryCodesPerUser }, (_, at) => `exam-p1e0-c0de-000${at}`)

export const totpTexts = [
  describeModel(EnableTOTPRequest, {
    description:
      'The key of an authenticator app, and a code that proves that the app has it. One-time passwords follow RFC 6238: SHA-1, six digits, 30 seconds.',
    fields: {
      key: 'The key in base32, of 80 to 512 bits. The client generates it at random and shows it as a QR code. Secret: it is stored encrypted and never returned.',
      otp: `${currentCode} The clock of the app may be up to ${(totpDriftMaxSteps * 30) / 60} minutes off.`,
    },
    example: { key: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', otp: exampleCode },
  }),
  describeModel(EnableTOTP, {
    description:
      'The recovery codes of a second factor that was just turned on. No other response contains them.',
    fields: { recovery_codes: recoveryCodes },
    example: { recovery_codes: exampleCodes },
  }),
  describeModel(RecoveryCodes, {
    description: 'New recovery codes. The earlier ones no longer work. No other response contains them.',
    fields: { recovery_codes: recoveryCodes },
    example: { recovery_codes: exampleCodes },
  }),
  describeModel(SyncTOTPRequest, {
    description: 'A code by which the service measures the clock of an authenticator app.',
    fields: { otp: `${currentCode} It is used up.` },
    example: { otp: exampleCode },
  }),
  describeModel(SyncTOTP, {
    description: 'How far the clock of an authenticator app is off. The service allows for it from now on.',
    fields: {
      drift: `How many steps of 30 seconds the clock is ahead of the service: -${totpDriftMaxSteps} to ${totpDriftMaxSteps}. Negative if it is behind.`,
    },
    example: { drift: -1 },
  }),
]
