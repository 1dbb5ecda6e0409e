import { useRoute } from '../kit/route.ts'
import type { LoadedSection } from '../kit/section.ts'
import { peopleMessages } from '../people/messages.ts'
import { AllTokens } from './all-tokens.tsx'
import { tokenMessages } from './messages.ts'
import { TokenList } from './token-list.tsx'

const Tokens = () => {
  const owner = Number(useRoute().query.get('user'))
  return owner ? <TokenList key={owner} owner={owner} /> : <AllTokens />
}

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([peopleMessages.load(), tokenMessages.load()])
  },
  Show: Tokens,
}
