import { answerEntry } from '@/lib/server/entry'

export const dynamic = 'force-dynamic'

export const POST = (request: Request) => answerEntry(request)
