import { emailCodeGuesses, emailCodeLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import {
  EmailCodeLoginRequest,
  RequestEmailCodeRequest,
  RequestEmailCodeResponse,
} from '../../models/email-codes.ts'
import { oneTimeCode, setupSession } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleCodeRequest, exampleEmailCode, exampleTimes } from '../example-values.ts'

export const emailCodesTexts = [
  describeModel(RequestEmailCodeRequest, {
    description: 'The user who wants to sign in with an emailed code.',
    fields: { username: 'The username or the verified email address of the user, without regard to case.' },
    example: { username: 'ada' },
  }),
  describeModel(RequestEmailCodeResponse, {
    description:
      'A request for an emailed code. It looks the same with and without an account, so it does not show whether an email was sent.',
    fields: {
      request_id:
        'The secret half of the sign-in: the code works only together with it. Keep it in the browser that asked.',
      expires: `When the code stops working: ISO 8601, UTC, ${describeDuration(emailCodeLifetimeMs)} after the request.`,
    },
    example: { request_id: exampleCodeRequest, expires: exampleTimes.codeEnd },
  }),
  describeModel(EmailCodeLoginRequest, {
    description: 'A sign-in with an emailed code. The code replaces the password and nothing else.',
    fields: {
      request_id: 'The value of `request_id` from the response to the request for the code.',
      code: `The code from the email: eight digits. Spaces and hyphens are ignored. After ${emailCodeGuesses} attempts, it no longer works.`,
      otp: oneTimeCode,
      second_factor_setup: setupSession,
    },
    example: { request_id: exampleCodeRequest, code: exampleEmailCode },
  }),
]
