import {
  AdminInitiateAuthCommand,
  type ChallengeNameType,
  CognitoIdentityProviderClient,
  CognitoIdentityProviderServiceException,
} from '@aws-sdk/client-cognito-identity-provider'
import { type Answer, callMs, type Question } from './question.ts'

const { USER_POOL_ID = '', CLIENT_ID = '' } = process.env

const cognito = new CognitoIdentityProviderClient({
  // A second attempt would count as a second wrong password.
  maxAttempts: 1,
  requestHandler: { requestTimeout: callMs },
})

/** The longest password that Cognito stores. */
const maxLength = 256

/** What Cognito asks for after a right password. A temporary password is none: its user needs a reset link. */
const stepsAfterPassword: readonly ChallengeNameType[] = [
  'DEVICE_SRP_AUTH',
  'EMAIL_OTP',
  'MFA_SETUP',
  'SELECT_MFA_TYPE',
  'SMS_MFA',
  'SOFTWARE_TOKEN_MFA',
]

/** Checks a password in a user pool. The tokens that Cognito returns are not used. */
export const handler = async ({ username, password, external_id: id }: Question): Promise<Answer> => {
  if (password.length > maxLength) return { is_correct: false }
  try {
    const { AuthenticationResult, ChallengeName } = await cognito.send(
      new AdminInitiateAuthCommand({
        UserPoolId: USER_POOL_ID,
        ClientId: CLIENT_ID,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        // The import takes the `sub` of a user as the ID. Cognito finds users by it, also those who were renamed since.
        AuthParameters: { USERNAME: id ?? username, PASSWORD: password },
      }),
    )
    const isNextStep = ChallengeName !== undefined && stepsAfterPassword.includes(ChallengeName)
    return { is_correct: AuthenticationResult !== undefined || isNextStep }
  } catch (error) {
    if (isRefusal(error)) return { is_correct: false }
    throw error
  }
}

/** Cognito has one error for wrong passwords, too many attempts and wrong settings, which differ in the message alone. */
const wrongMessages: readonly string[] = ['Incorrect username or password.', 'User is disabled.']

const isRefusal = (error: unknown): boolean => {
  if (!(error instanceof CognitoIdentityProviderServiceException)) return false
  if (error.name === 'NotAuthorizedException') return wrongMessages.includes(error.message)
  return ['PasswordResetRequiredException', 'UserNotConfirmedException', 'UserNotFoundException'].includes(
    error.name,
  )
}
