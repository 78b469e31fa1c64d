package dev.latchkey.auth.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A service with accounts, rules and two pages, as a service on servlets or on WebFlux. */
@SpringBootApplication
class LibraryApplication {}
