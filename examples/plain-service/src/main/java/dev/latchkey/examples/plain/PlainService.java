package dev.latchkey.examples.plain;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Greets whoever logs in with HTTP Basic. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PlainService {

    public static void main(String[] args) {
        SpringApplication.run(PlainService.class, args);
    }
}
