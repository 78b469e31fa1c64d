package dev.latchkey.throttle.spring;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Redis of a service, if the service imports this class. */
@Configuration(proxyBeanMethods = false)
class WithRedis {

    @Bean
    LettuceConnectionFactory redis(@Value("${spring.data.redis.port}") int port) {
        return new LettuceConnectionFactory("127.0.0.1", port);
    }
}
