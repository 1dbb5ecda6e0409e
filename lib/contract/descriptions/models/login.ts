import { AuthLoginEndpointRequest, AuthLoginEndpointResponse } from '../../models/login.ts'
import { newPasswordRule, oneTimeCode, setupSession } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleCode, exampleCredentials, examplePassword } from '../example-values.ts'
import { exampleUserDetail } from './user-detail.ts'

const neverSent =
  'Known to published clients. This service never sends it: an incomplete sign-in is an error.'

export const loginTexts = [
  describeModel(AuthLoginEndpointRequest, {
    description:
      'A sign-in with a username and a password. If an answer asks for more, send the whole request again with the additional field.',
    fields: {
      username:
        'The username, without regard to case. A verified email address works, too, unless the operator turned that off.',
      password: 'The password of the user.',
      otp: oneTimeCode,
      new_password: `A new password. Required after the reason \`password_change_required\`, and allowed at any sign-in. ${newPasswordRule} It ends all other sessions and tickets of the user.`,
      second_factor_setup: setupSession,
    },
    example: { username: 'ada', password: examplePassword, otp: exampleCode },
  }),
  describeModel(AuthLoginEndpointResponse, {
    description: 'A new session and its user. Sign-ins and redeemed access links have this response.',
    fields: {
      user: 'The user who is signed in now. For an access link, the recipient without permissions and groups.',
      session_key:
        'The session, with the prefix `lks_`. Secret: it can do all that the user may. Send it as `Authorization: Bearer`. Always present. Browsers on the origin of the service also get it as a cookie.',
      redirect:
        'The `default_page` of the user, if it is a page of another allowed origin. Send the browser there after the sign-in.',
      reason: neverSent,
      detail: neverSent,
    },
    example: { user: exampleUserDetail, session_key: exampleCredentials.session },
  }),
]
