import type { Config } from '../../settings/config.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import { splitWords } from './own-names.ts'
import { foldWord, listVariedWords } from './word-variations.ts'

type NamingConfig = Pick<Config, 'publicUrl' | 'mailFrom'>

/**
 * Whether a password is a simple variation of a word that attackers of this service try first: the names of the user,
 * the name and the domain of the service, or "Latchkey".
 */
export const isContextWord = (password: string, config: NamingConfig, user: UserRecord): boolean => {
  const varied = listVariedWords(password)
  return listContextWords(config, user).some((word) => varied.has(foldWord(word)))
}

/** The words that attackers of this service try first for a user: see `isContextWord`. */
export const listContextWords = (config: NamingConfig, user: UserRecord): readonly string[] => [
  ...listServiceWords(config),
  ...splitWords(user),
]

const listServiceWords = ({ publicUrl, mailFrom = '' }: NamingConfig): readonly string[] => {
  const [name = ''] = mailFrom.split('<')
  const domain = mailFrom.split('@').at(-1)?.replace('>', '') ?? ''
  const names = [name, name.replaceAll(/\s/g, ''), domain, URL.parse(publicUrl)?.hostname ?? '']
  const words = names.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return ['latchkey', ...words].filter((word) => word !== '')
}
