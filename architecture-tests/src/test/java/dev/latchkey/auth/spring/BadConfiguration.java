package dev.latchkey.auth.spring;

import jakarta.annotation.PostConstruct;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;

/** Breaks rules on purpose: an auto-configuration against Boot's conventions. */
@AutoConfiguration(
        after = PropertyPlaceholderAutoConfiguration.class,
        afterName = "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration")
public class BadConfiguration {

    @Bean
    public String open() {
        return "replaces what the service has";
    }

    @Bean
    BeanPostProcessor early(Environment environment) {
        return new BeanPostProcessor() {};
    }

    @PostConstruct
    void afterwards() {}

    static Object fields(HttpHeaders fields) {
        Object name = "X-Key";
        fields.remove(name);
        return fields.keySet();
    }

    /** Proxied. */
    @Configuration
    public static class Proxied {}
}
