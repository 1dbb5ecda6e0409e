import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { replaceQuery } from './route.ts'

const t = messagesOf('console')

/** Says that the search and the filters select nothing, and removes them. */
export const NoResults = () => (
  <>
    <p>{t('noResults')}</p>
    <Button look="secondary" onClick={() => replaceQuery({})}>
      {t('resetFilters')}
    </Button>
  </>
)
