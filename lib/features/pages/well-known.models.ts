import * as z from 'zod/mini'
import { nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { toAccountPage } from './addresses.models.ts'

const managePage = docs && toAccountPage('https://auth.example.com', 'passkeys')

export const PasskeyEndpoints = model(
  {
    enroll: field(nonEmptyText, docs && 'The page where users add a passkey.'),
    manage: field(nonEmptyText, docs && 'The page where users rename and remove their passkeys.'),
  },
  docs && {
    description: 'Where users manage their passkeys. Password managers lead them there.',
    example: { enroll: managePage, manage: managePage },
  },
)
export type PasskeyEndpoints = z.output<typeof PasskeyEndpoints>

export const RelatedOrigins = model(
  {
    origins: field(
      z.array(nonEmptyText),
      docs && 'The origins whose pages may use the passkeys of this service.',
    ),
  },
  docs && {
    description: 'The origins that may use the passkeys of this service. Browsers read them.',
    example: { origins: ['https://auth.example.com', 'https://shop.example.org'] },
  },
)
export type RelatedOrigins = z.output<typeof RelatedOrigins>
