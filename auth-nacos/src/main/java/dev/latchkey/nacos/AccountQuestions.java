package dev.latchkey.nacos;

import dev.latchkey.auth.DaemonThreads;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that ask sources about accounts in the background. */
final class AccountQuestions {

    private static final int THREADS = 4;
    private static final int MOST_WAITING = 10_000;

    private AccountQuestions() {}

    /** Daemon threads, which end when idle. With more questions than can wait, the request's thread asks. */
    static ThreadPoolExecutor executor() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(MOST_WAITING),
                DaemonThreads.of(AccountQuestions.class, "latchkey-accounts"),
                new ThreadPoolExecutor.CallerRunsPolicy());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
