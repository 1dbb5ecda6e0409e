import { ReauthenticateRequest } from '../../models/reauthentication.ts'
import { oneTimeCode } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleCode, examplePassword } from '../example-values.ts'

export const reauthenticationTexts = [
  describeModel(ReauthenticateRequest, {
    description: 'What proves again that the user of a session is present.',
    fields: {
      password:
        'The current password of the user. Required. A user without one signs in again instead. Wrong ones are limited like wrong passwords at the sign-in.',
      otp: oneTimeCode,
    },
    example: { password: examplePassword, otp: exampleCode },
  }),
]
