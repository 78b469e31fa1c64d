package dev.latchkey.auth.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;

/** The whole library on mock servlets; one context for all tests with this annotation. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = LibraryApplication.class)
@AutoConfigureLatchkeyTest
@interface WholeLibrary {}
