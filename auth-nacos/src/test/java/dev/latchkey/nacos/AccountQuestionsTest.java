package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AccountQuestionsTest {

    @Test
    void threadLocalsOfTheFirstRequest_areNotSeenByQuestions() throws Exception {
        InheritableThreadLocal<String> request = new InheritableThreadLocal<>();
        request.set("first");
        ThreadPoolExecutor threads = AccountQuestions.executor();
        try {
            String seen = threads.submit(() -> String.valueOf(request.get())).get(1, TimeUnit.MINUTES);
            assertThat(seen).isEqualTo("null");
        } finally {
            threads.shutdown();
            request.remove();
        }
    }
}
