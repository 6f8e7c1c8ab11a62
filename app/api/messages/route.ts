import { answerMessages } from '@/lib/server/chat'

export const dynamic = 'force-dynamic'

export const POST = answerMessages
