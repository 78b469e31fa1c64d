package dev.latchkey.benchmarks.request;

import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The service under load. Its one argument without dashes names the chain; its first line of output is {@code LISTENING} and the port. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
public class RequestService {

    /** What stands in front of the endpoint. */
    enum Chain {
        /** Nothing, and Spring Security is not there. */
        NONE {
            @Override
            Class<?>[] sources() {
                return new Class<?>[] {RequestService.class};
            }
        },
        /** Spring Security, which asks for nothing. */
        OPEN {
            @Override
            Class<?>[] sources() {
                return new Class<?>[] {RequestService.class, OpenChain.class};
            }
        },
        LATCHKEY {
            @Override
            Class<?>[] sources() {
                return new Class<?>[] {RequestService.class, LatchkeyChain.class};
            }
        },
        RESOURCE_SERVER {
            @Override
            Class<?>[] sources() {
                return new Class<?>[] {RequestService.class, ResourceServerChain.class};
            }
        },
        JJWT {
            @Override
            Class<?>[] sources() {
                return new Class<?>[] {RequestService.class, JjwtChain.class};
            }
        },
        AUTH_JWT {
            @Override
            Class<?>[] sources() {
                return new Class<?>[] {RequestService.class, AuthJwtChain.class};
            }
        };

        abstract Class<?>[] sources();
    }

    public static void main(String[] args) {
        for (String argument : args) {
            if (!argument.startsWith("--")) {
                new SpringApplication(Chain.valueOf(argument).sources()).run(args);
                return;
            }
        }
        throw new IllegalArgumentException("Name the chain, one of " + Arrays.toString(Chain.values()));
    }

    @EventListener
    void announce(ApplicationReadyEvent ready) {
        System.out.println(
                "LISTENING " + ready.getApplicationContext().getEnvironment().getProperty("local.server.port"));
    }

    @GetMapping("/hello")
    String hello() {
        return "Hello";
    }
}
