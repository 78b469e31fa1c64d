package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.PatientTime;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A Redis with half a minute for each answer, since a busy machine is slow. */
@Configuration(proxyBeanMethods = false)
@Import(WithRedis.class)
class PatientStores {

    @Bean(destroyMethod = "close")
    GuardTime patientTime() {
        return PatientTime.start();
    }
}
