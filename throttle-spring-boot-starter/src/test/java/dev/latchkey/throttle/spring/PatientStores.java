package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.PatientTime;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A Redis that answers in time: on a machine that has other work no answer does, so here it has half a minute. */
@Configuration(proxyBeanMethods = false)
@Import(WithRedis.class)
class PatientStores {

    @Bean(destroyMethod = "close")
    GuardTime patientTime() {
        return PatientTime.start();
    }
}
