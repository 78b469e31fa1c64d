package dev.latchkey.benchmarks.services;

import dev.latchkey.auth.guard.BucketRate;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.Throttle;
import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.ThrottleSettings;
import java.time.Duration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Downloads that are slowed down to what was agreed, with a thread for each or without. */
@Configuration(proxyBeanMethods = false)
class DownloadConfiguration {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Bean
    GuardTime downloadTime() {
        return GuardTime.start();
    }

    @Bean
    Throttle downloads(SubjectProperties subject, GuardTime time) {
        ThrottleSettings settings = ThrottleSettings.named("downloads").withWaiting(PATIENCE);
        if (subject.bytesPerSecond() > 0) {
            settings = settings.withRate(
                    ThrottleScope.PRINCIPAL,
                    BucketRate.perSecond(subject.bytesPerSecond()).withBurst(subject.chunk()));
        }
        if (subject.totalBytesPerSecond() > 0) {
            settings = settings.withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(subject.totalBytesPerSecond()));
        }
        return Throttle.of(settings, time);
    }

    @Bean
    ServletRegistrationBean<DownloadServlet> download(Throttle throttle, SubjectProperties subject) {
        ServletRegistrationBean<DownloadServlet> registration = new ServletRegistrationBean<>(
                new DownloadServlet(throttle, subject.download(), subject.chunk()), "/download/*");
        registration.setAsyncSupported(true);
        return registration;
    }
}
