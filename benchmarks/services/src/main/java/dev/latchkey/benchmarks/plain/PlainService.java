package dev.latchkey.benchmarks.plain;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Greets every caller that logs in with HTTP Basic. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PlainService {

    public static void main(String[] args) {
        // The settings of the other services do not apply here.
        System.setProperty("spring.config.name", "plain");
        SpringApplication.run(PlainService.class, args);
    }
}
