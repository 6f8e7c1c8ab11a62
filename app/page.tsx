import { AppRoot } from '@/components/app-root'
import { summarise } from './actions'

export default function Page() {
  return <AppRoot summarise={summarise} />
}
