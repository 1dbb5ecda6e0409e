import { describe, expect, it } from 'vitest'
import { findResponseProblems } from './check-response.ts'

const preview = { id: 1, avatar: null, email: 'ann@example.com' }

describe('the check of responses', () => {
  it('accepts what clients know', () => {
    expect(findResponseProblems('MemberPreview', preview)).toEqual([])
    expect(findResponseProblems('MemberPreview[]', [preview, preview])).toEqual([])
    expect(findResponseProblems(null, undefined)).toEqual([])
  })

  it.each<[string, string | null, unknown, string]>([
    ['an unknown field', 'MemberPreview', { ...preview, secret: 1 }, 'MemberPreview.secret is unknown'],
    ['a missing field', 'MemberPreview', { id: 1, avatar: null }, 'MemberPreview.email is missing'],
    ['null', 'MemberPreview', { ...preview, id: null }, 'MemberPreview.id is null'],
    [
      'a text as a number',
      'MemberPreview',
      { ...preview, id: '1' },
      'MemberPreview.id is not of the type integer',
    ],
    ['an empty text', 'Ticket', { ticket: '' }, 'Ticket.ticket is not within its limits'],
    [
      'a number beyond 32 bits',
      'ServiceGroup',
      { gid: 2 ** 31 },
      'ServiceGroup.gid is not within its limits',
    ],
    ['an object as a list', 'MemberPreview[]', preview, 'MemberPreview[] is not a list'],
    ['a list as an object', 'MemberPreview', [preview], 'MemberPreview is not an object'],
    ['a body of nothing', null, {}, 'has a body'],
    [
      'an unknown language',
      'ServiceUserProfilePartialUpdate',
      { language: 'tlh' },
      'ServiceUserProfilePartialUpdate.language is not a known value',
    ],
    [
      'a time without a zone',
      'OneTimeAccessTokenActivity',
      { date: '2026-01-01T00:00:00' },
      'OneTimeAccessTokenActivity.date is not of the type date-time',
    ],
  ])('finds %s', (_, model, value, problem) => {
    expect(findResponseProblems(model, value)).toContain(problem)
  })

  it('accepts additions of this service at the outermost level alone', () => {
    expect(findResponseProblems('MemberPreview[]', [{ ...preview, more: 1 }], ['more'])).toEqual([])
    const nested = { id: 1, email: { more: 1 }, avatar: null }
    expect(findResponseProblems('MemberPreview', nested, ['more'])).toHaveLength(1)
  })
})
