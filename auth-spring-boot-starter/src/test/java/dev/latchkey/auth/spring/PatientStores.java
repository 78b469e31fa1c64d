package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.GuardTime;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A Redis that answers in time: on a machine that has other work no answer does, so here it has half a minute. */
@Configuration(proxyBeanMethods = false)
@Import(WithRedis.class)
class PatientStores {

    /** What a throttle waits for its store. */
    private static final Duration DEADLINE = Duration.ofMillis(50);

    @Bean(destroyMethod = "close")
    GuardTime patientTime() {
        return new PatientTime(GuardTime.start());
    }

    private record PatientTime(GuardTime real) implements GuardTime {

        @Override
        public long nanoTime() {
            return real.nanoTime();
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            return real.after(delay.equals(DEADLINE) ? Duration.ofSeconds(30) : delay, action);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
