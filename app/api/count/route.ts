import { answerCount } from '@/lib/server/count'

export const dynamic = 'force-dynamic'

export const POST = answerCount
