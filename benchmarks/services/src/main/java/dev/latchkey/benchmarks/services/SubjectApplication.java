package dev.latchkey.benchmarks.services;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.event.EventListener;

/** The service under load. Its first line of output is {@code LISTENING} and the port. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SubjectApplication {

    public static void main(String[] args) {
        SpringApplication.run(SubjectApplication.class, args);
    }

    @EventListener
    void announce(ApplicationReadyEvent ready) {
        System.out.println(
                "LISTENING " + ready.getApplicationContext().getEnvironment().getProperty("local.server.port"));
    }
}
