import * as z from 'zod/mini'
import {
  anyText,
  flag,
  id,
  nonEmptyText,
  readOnlyText,
  text,
  text255,
} from '../../../kernel/contract/fields.ts'
import { field, model, openModel } from '../../../kernel/contract/model.ts'

export const ToyConnection = model(
  {
    id: field(id, docs && 'Its ID.'),
    name: field(text255, docs && 'Its name.'),
    sign_in_url: field(nonEmptyText, docs && 'Where people sign in.'),
    auto_create_users: field(flag, docs && 'Whether a first sign-in creates a user.'),
    login_url: field(readOnlyText, docs && 'The URL that starts a sign-in.'),
  },
  docs && {
    description: 'A toy connection.',
    example: {
      ...{ id: 5, name: 'Toy', sign_in_url: 'https://toy.example.com/', auto_create_users: true },
      login_url: 'https://auth.example.com/api/2/auth/toy-connections/5/start',
    },
  },
)
export type ToyConnection = z.output<typeof ToyConnection>

export const ToyConnectionCreate = model(
  {
    name: field(text255, docs && 'Its name.'),
    sign_in_url: field(nonEmptyText, docs && 'Where people sign in.'),
    shared_key: field(text(100), docs && 'The key that both sides know.'),
    auto_create_users: field(flag, docs && 'Whether a first sign-in creates a user.'),
  },
  docs && {
    description: 'A new toy connection.',
    example: {
      ...{ name: 'Toy', sign_in_url: 'https://toy.example.com/', shared_key: 'ExampleKey' },
      auto_create_users: true,
    },
  },
)
export type ToyConnectionCreate = z.output<typeof ToyConnectionCreate>

export const ToyAnswer = openModel(
  {
    state: field(z.optional(anyText), docs && 'The sign-in.'),
    name: field(z.optional(anyText), docs && 'The user.'),
    mac: field(z.optional(anyText), docs && 'The HMAC of both, with the shared key.'),
  },
  docs && { description: 'An answer.', example: { state: 'State', name: 'ada', mac: 'Mac' } },
)
export type ToyAnswer = z.output<typeof ToyAnswer>
