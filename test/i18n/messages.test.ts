import { describe, expect, expectTypeOf, it } from 'vitest'
import { createTranslate, type Translation } from '../../lib/kernel/i18n/messages.ts'

const en = {
  plain: 'Sign in',
  named: 'Sign in to {product}',
  days: 'The link works for {days, plural, one {# day} other {# days}}.',
  shared: '{count, plural, =0 {nothing} one {{name} shared one file} other {{name} shared # files}}',
  expires: 'until {at, date, long}',
} as const
const de: Translation<typeof en> = {
  plain: 'Anmelden',
  named: 'Bei {product} anmelden',
  days: 'Der Link gilt {days, plural, one {# Tag} other {# Tage}}.',
  shared:
    '{count, plural, =0 {nichts} one {{name} hat eine Datei geteilt} other {{name} hat # Dateien geteilt}}',
  expires: 'bis {at, date, long}',
}

describe('a message', () => {
  const t = createTranslate<typeof en>('en', en)
  const tDe = createTranslate<typeof en>('de', de)

  it('contains its values', () => {
    expect([t('plain'), t('named', { product: 'Media <b>library</b>' })]).toEqual([
      'Sign in',
      'Sign in to Media <b>library</b>',
    ])
    expect(tDe('named', { product: 'Mediathek' })).toBe('Bei Mediathek anmelden')
  })

  it('uses the plural and the dates of its language', () => {
    expect([t('days', { days: 1 }), t('days', { days: 7 })]).toEqual([
      'The link works for 1 day.',
      'The link works for 7 days.',
    ])
    expect(tDe('shared', { count: 1200, name: 'Ada' })).toBe('Ada hat 1.200 Dateien geteilt')
    expect(tDe('expires', { at: new Date('2026-11-21T12:00:00Z') })).toBe('bis 21. November 2026')
  })

  it('needs exactly the values that the English text names', () => {
    expectTypeOf(t<'plain'>).parameters.toEqualTypeOf<['plain']>()
    type Shared = Parameters<typeof t<'shared'>>[1]
    expectTypeOf<keyof Shared>().toEqualTypeOf<'count' | 'name'>()
    type Days = Parameters<typeof t<'days'>>[1]
    expectTypeOf<keyof Days>().toEqualTypeOf<'days'>()
  })
})
