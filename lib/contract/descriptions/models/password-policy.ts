import {
  expressionLength,
  guessesPerSecond,
  policyEntropyBits,
  policyLength,
  ruleMatches,
  ruleNameLength,
} from '../../../limits/password-limits.ts'
import {
  EvaluatePasswordEndpointRequest,
  EvaluatePasswordEndpointResponse,
  GeneratePasswordEndpointResponse,
  PasswordPolicy,
  PasswordPolicyRule,
} from '../../models/password-policy.ts'
import { describeModel } from '../describe.ts'
import { exampleNewPassword } from '../example-values.ts'

const rule = { group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }

const expressionForm = `An expression in RE2 syntax of at most ${expressionLength} characters. It matches anywhere unless it is anchored.`

export const passwordPolicyTexts = [
  describeModel(PasswordPolicyRule, {
    description: 'A group of characters of which a password must have a number.',
    fields: {
      group_name: `What messages call the group, at most ${ruleNameLength} characters, such as \`a digit\`.`,
      group_regex: `What belongs to the group. ${expressionForm} Each match counts once.`,
      min_count: `How many matches a password must have: 0 to ${ruleMatches}.`,
    },
    example: rule,
  }),
  describeModel(PasswordPolicy, {
    description:
      'What new passwords must meet. It replaces the whole policy: an omitted field requires nothing. Existing passwords keep working. Every password also has 8 to 1,024 characters and contains no name of its user.',
    fields: {
      rules: `Groups of characters that passwords must contain, at most 100. Their \`min_count\` must not exceed ${policyLength} in total.`,
      min_length: `The least number of characters: 0 to ${policyLength}. Null for no requirement. A new service has 12.`,
      min_entropy_bits: `The least estimated randomness in bits: 0 to ${policyEntropyBits}. Null for no requirement.`,
      regex: `What the whole password must match, or null. ${expressionForm}`,
      no_pwned:
        'Whether to reject common passwords and those from known breaches. The lookup of breaches sends five hex digits of a hash. Null counts as `false`. A new service has `true`.',
    },
    example: { rules: [rule], min_length: 14, min_entropy_bits: null, regex: null, no_pwned: true },
  }),
  describeModel(EvaluatePasswordEndpointRequest, {
    description: 'A password to check before it is set. Nothing is stored.',
    fields: {
      password: 'The password to check.',
      custom_policy:
        'A policy to check the password with. Omit it to use the policy of the service, which also knows the names and the second factor of the caller.',
    },
    example: { password: exampleNewPassword },
  }),
  describeModel(EvaluatePasswordEndpointResponse, {
    description: 'What a password does not meet, and how long guessing it takes.',
    fields: {
      errors: 'A sentence for each requirement that the password does not meet. Empty for a good password.',
      time_to_crack: `The estimated time to guess the password, in seconds, at ${guessesPerSecond.toLocaleString('en-US')} guesses per second. It can have a fraction.`,
      username: 'The username of the caller. Omitted with `custom_policy`.',
      policy:
        'What passwords of the caller must meet. It can require more characters than the policy of the service, of users without a second factor. Omitted with `custom_policy`.',
    },
    example: { errors: ['The password must have at least 14 characters.'], time_to_crack: 31_536_000 },
  }),
  describeModel(GeneratePasswordEndpointResponse, {
    description: 'A random password that meets the password policy.',
    fields: {
      password:
        'The password, with at least 20 characters. It is not stored and not set. Show it to the user only.',
    },
    example: { password: 'ExampleOnly-7fQ2-mV9x' },
  }),
]
