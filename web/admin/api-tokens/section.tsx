import { useRoute } from '../kit/route.ts'
import { AllTokens } from './all-tokens.tsx'
import { TokenList } from './token-list.tsx'

export const Section = () => {
  const owner = Number(useRoute().query.get('user'))
  return owner ? <TokenList key={owner} owner={owner} /> : <AllTokens />
}
