import { anyoneOrKnown } from '../../kernel/contract/access.ts'
import { providerAnswerEvents } from '../../kernel/contract/audit-events.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { signInQuestionMs } from '../../kernel/limits/connection-limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { SignInAnswer } from './questions.models.ts'

const parameterTexts = {
  id: { description: 'The ID of the SAML provider, or of the OpenID Connect connection.', example: 2 },
  question: { description: 'The question, from the URL of the page.', example: 'ThisIsAnExampleQuestion' },
} as const

/*
 * What a person is asked about an answer of an identity provider, before it counts. Both kinds of connections lead here.
 */
export const signInQuestions = {
  showSignInQuestion: defineOperation({
    id: 'show_sign_in_question',
    group: 'connection-flow',
    method: 'GET',
    path: '/sign-in-question/{id}/{question}',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Ask the person in a browser about an answer of an identity provider',
    // 303 to the sign-in page, or to the start of the sign-in if there is nothing to ask about.
    responses: { 200: 'text/html', 303: null },
    errors: ['not_found', 'permission_denied', 'login_failed'],
    ignoresAccept: true,
    isFlowStep: true,
    readableFrom: 'no_other_origin',
    text:
      docs &&
      describe(() => ({
        description: `The service sends browsers here, you do not call it. An answer of an identity provider waits ${describeDuration(signInQuestionMs)} for the person in these
cases. The page names the connection and the account there:

- It would replace the session of another user in this browser. The page asks whether to continue as the user of the answer.
- The account there is connected to no user here, and none is created. The page about that error leads here. The person signs in first,
  with a recent proof of identity. The page then asks whether to connect the two.
- The account is at a public provider with \`first_sign_in\` \`ask\`, and unknown. The page asks whether to create a user here, or to connect
  the account to the user whom the person has. It is the same whether or not a user has the same address. If the sign-up policy has
  terms, the person accepts them on this page, also with \`create\`.
- The user of an account at a public provider has a second factor. The page asks for its code. If somebody else has signed in to this browser
  since, it asks first whether to continue as the user of the answer.

A question ends if the rules of the connection change while it is open, such as \`first_sign_in\`, or if the connection is hidden. Only the browser that started the sign-in sees the page.`,
        parameters: parameterTexts,
      })),
  }),
  answerSignInQuestion: defineOperation({
    id: 'answer_sign_in_question',
    group: 'connection-flow',
    method: 'POST',
    path: '/sign-in-question/{id}/{question}',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Decide about an answer of an identity provider',
    body: SignInAnswer,
    bodyType: 'form',
    responses: { 200: 'text/html', 303: null },
    errors: [
      'not_found',
      'not_authenticated',
      'permission_denied',
      'login_failed',
      'login_incomplete',
      'conflict',
      'too_many_requests',
    ],
    localChange: 'by_connection',
    ignoresAccept: true,
    audit: providerAnswerEvents,
    limits: [
      'otpGuesses',
      'signUpsPerAddress',
      'providerSignUpsPerNetwork',
      'knownBrowserUses',
      'hookNotices',
      'refusedSignUps',
    ],
    decidesSignIn: 'connection',
    readableFrom: 'no_other_origin',
    text:
      docs &&
      describe(() => ({
        description: `The page of \`show_sign_in_question\` sends this form. Only the browser that started the sign-in can send it, only from a page of this
service, and only once. If anything on the page has changed since, nothing is decided, and the page comes again.

With \`yes\`, the session of the other user is opened, or the account is linked to the current user as with \`link=true\` of
\`start_saml_auth\`, or a user is created if the person accepts the present terms in \`terms\`, or the code in \`otp\` is checked. A wrong code brings the page again. With \`no\`, nothing changes.`,
        parameters: parameterTexts,
        request: [{ summary: 'The accounts are connected', value: exampleOf(SignInAnswer) }],
      })),
  }),
}
